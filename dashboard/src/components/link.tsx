// Links and commands in texts. A link inside the dashboard has a real URL, so that it can be copied or opened in a new tab. A
// click opens it without a reload of the page. A command can be copied into a terminal.
import { useRouter } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type MouseEvent, useCallback } from 'react';

interface AppLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string;
}

export function useGo(): (to: string) => void {
  const { history } = useRouter();
  return useCallback((to: string) => history.push(to), [history]);
}

/** A link without its own style, for rows, cards and buttons. */
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

/** A link in a text. */
export function TextLink({ className = '', ...rest }: AppLinkProps) {
  return <AppLink className={`text-link ${className}`} {...rest} />;
}

/** A link to a page of the guide, named like its file in docs/ without the extension. */
export function GuideLink({ page, children }: { readonly page: string; readonly children: React.ReactNode }) {
  return (
    <a className="text-link" href={`/docs/guide/${page}`}>
      {children}
    </a>
  );
}

/** A link to another site. Only a valid web address becomes a link. */
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
