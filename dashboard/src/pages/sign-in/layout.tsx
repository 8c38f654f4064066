// The layout of the pages before the sign-in: the brand, one card in one column, and a description of Sliproad.
import { type ReactNode, useEffect } from 'react';
import { Logo } from '../../components/icon.tsx';
import { AppLink } from '../../components/link.tsx';
import styles from './layout.module.css';

interface EntryProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  readonly aside?: ReactNode;
  /** True means that the page has no card. Pages with lists use it. */
  readonly wide?: boolean;
}

export function EntryLayout({ title, lead, children, aside, wide = false }: EntryProps) {
  useEffect(() => {
    document.title = `${title} · Sliproad`;
  }, [title]);
  return (
    <div className={styles.page} data-wide={wide || undefined}>
      <header>
        <a href="/" className={styles.brand}>
          <Logo size={28} />
          Sliproad
        </a>
        <p className={styles.what}>
          Converts naira to a naira stablecoin and back, on Stellar, Polygon, Solana and Avalanche.
        </p>
      </header>
      <main className={styles.main}>
        <div className={wide ? undefined : styles.card}>
          <h1 className={styles.title}>{title}</h1>
          {lead !== undefined && <div className={styles.lead}>{lead}</div>}
          {children}
        </div>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </main>
      <footer className={styles.foot}>
        <a href="/docs/guide">Guide</a>
        <a href="/docs">API reference</a>
        <a href="/">About this service</a>
        <AppLink to="/app/sign-in">Sign in</AppLink>
      </footer>
    </div>
  );
}
