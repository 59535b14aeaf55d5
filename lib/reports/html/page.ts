import { createHash } from 'node:crypto';
import { html, type Markup } from './markup';

/**
 * The beginning of a page, up to its body. The policy allows this style sheet and nothing else, so that even markup that got through could neither
 * load nor run anything.
 */
export function pageHead(title: string, style: Markup): Markup {
  const hash = createHash('sha256').update(style.text).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${policy}"/>
<meta name="referrer" content="no-referrer"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>${title}</title>
<style>${style}</style>
</head>
<body>
`;
}

/** Its end. */
export function pageFoot(version: string): Markup {
  return html`<footer>Written by eks-guardrails ${version}. This page loads nothing and runs no script.</footer>
</body>
</html>
`;
}
