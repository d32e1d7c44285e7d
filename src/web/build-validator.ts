/** Makes the validator: one file that opens from a disk or any host, and reaches nothing. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const from = (name: string) => fileURLToPath(new URL(`./page/validator/${name}`, import.meta.url))

/** The document. Throws with the bundler's messages. */
export async function buildValidator(): Promise<string> {
  const result = await Bun.build({
    entrypoints: [from('main.ts'), from('style.css')],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  if (!result.success) throw new AggregateError(result.logs, 'The validator could not be built.')
  const [script = '', style = ''] = await Promise.all(
    ['.js', '.css'].map(
      async end => (await result.outputs.find(({ path }) => path.endsWith(end))?.text()) ?? '',
    ),
  )
  // What stands in a document may not end it; in strings of a script `\/` is `/`.
  const parts = { script: script.replaceAll('</script', '<\\/script'), style }
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(parts.script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const filled: Record<string, string> = { ...parts, policy }
  const html = await readFile(from('index.html'), 'utf8')
  return html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => filled[name] ?? '')
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
