// Texts that lead somewhere. A link inside the dashboard has a real address, so that it opens in a new tab and can be copied, and is
// followed without loading the page anew. A command can be copied into a terminal.
import { useRouter } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type MouseEvent, useCallback } from 'react';

interface AppLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string;
}

export function useGo(): (to: string) => void {
  const { history } = useRouter();
  return useCallback((to: string) => history.push(to), [history]);
}

/** Without a look of its own, for rows, cards and buttons. */
export function AppLink({ to, onClick, ...rest }: AppLinkProps) {
  const go = useGo();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    event.preventDefault();
    go(to);
  };
  return <a href={to} onClick={follow} {...rest} />;
}

/** In a text. */
export function TextLink({ className = '', ...rest }: AppLinkProps) {
  return <AppLink className={`text-link ${className}`} {...rest} />;
}

/** To a page of the guide, named as its file in docs/ without the ending. */
export function GuideLink({ page, children }: { readonly page: string; readonly children: React.ReactNode }) {
  return (
    <a className="text-link" href={`/docs/guide/${page}`}>
      {children}
    </a>
  );
}

/** To another site: only what is certainly a web address becomes a link. */
export function OutsideLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: React.ReactNode;
}) {
  if (!href.startsWith('https://')) return <span>{children}</span>;
  return (
    <a className="text-link" href={href} target="_blank" rel="noreferrer noopener">
      {children} <span aria-hidden>↗</span>
      <span className="only-screen-reader"> (opens in a new tab)</span>
    </a>
  );
}

/** A sentence with commands in backticks, as the service writes it. */
export function WithCommands({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="mono">
        {part}
      </code>
    ),
  );
}
