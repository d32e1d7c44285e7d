/** What a browser is shown at an address that leads nowhere. Programs get a problem document there. */
const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:18vh auto;padding:0 16px}
a{color:light-dark(#0f766e,#4fd1c5)}`

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Nothing here · Gatehouse</title>
<style>${STYLE}</style>
</head>
<body>
<h1>There is nothing at this address</h1>
<p><a href="/">To the workflows and runs of this box</a></p>
</body>
</html>
`

/** Whether whoever asks is a person with a browser, by what the request accepts. */
export function asksForPage({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.get('accept') ?? '')
}

/** A small page with a way back. */
export function nothingHere(): Response {
  const hash = new Bun.CryptoHasher('sha256').update(STYLE).digest('base64')
  return new Response(HTML, {
    status: 404,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  })
}
