import { readText, WrongUse } from './command.ts'
import { readPassword } from './password.ts'

/** Shorter ones are guessed by whoever has the file and time. */
const LEAST = 12

/** Out of the file that was named (its first line), else as a password is read. */
export async function readPassphrase(file: string | undefined): Promise<string> {
  const passphrase =
    file === undefined ? await readPassword() : ((await readText(file)).split(/\r?\n/)[0] ?? '')
  if (passphrase.length < LEAST) throw new WrongUse(`the passphrase has at least ${LEAST} characters`)
  return passphrase
}
