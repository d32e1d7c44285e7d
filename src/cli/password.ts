import { createInterface } from 'node:readline'
import { WrongUse } from './command.ts'

/** A password: typed twice and unseen at a terminal, else the first line that comes in. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine()
  const password = await typed('Password: ')
  if ((await typed('Once more: ')) !== password) throw new WrongUse('the two passwords are not the same')
  return password
}

/** What comes in up to the end of its first line. */
export async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false })
  for await (const line of lines) {
    lines.close()
    return line
  }
  throw new WrongUse('give it as the first line of the input, or type it at a terminal')
}

/** Reads a line of which nothing is shown. */
function typed(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  let text = ''
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      settle()
    }
    const take = (chunk: string) => {
      for (const letter of chunk) {
        if (letter === '\r' || letter === '\n') return end(() => resolve(text))
        if (letter === '\u0003' || letter === '\u0004')
          return end(() => reject(new WrongUse('no password was given')))
        if (letter === '\u007f' || letter === '\b') text = [...text].slice(0, -1).join('')
        else text += letter
      }
    }
    stdin.on('data', take)
  })
}
