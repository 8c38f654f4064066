// Links and commands in texts. A link inside the dashboard has a real URL, so that a person can copy it or open it in a new
// tab. A click on it opens the page without a reload. A person can copy a command into a terminal.
import { useRouter } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type MouseEvent, useCallback } from 'react';

interface AppLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string;
}

export function useGo(): (to: string) => void {
  const { history } = useRouter();
  return useCallback((to: string) => history.push(to), [history]);
}

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

export function TextLink({ className = '', ...rest }: AppLinkProps) {
  return <AppLink className={`text-link ${className}`} {...rest} />;
}

/** A link to a page of the documentation. `page` is the path of the file in docs/ without its extension. */
export function GuideLink({ page, children }: { readonly page: string; readonly children: React.ReactNode }) {
  return (
    <a className="text-link" href={`/docs/guide/${page}`}>
      {children}
    </a>
  );
}

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
