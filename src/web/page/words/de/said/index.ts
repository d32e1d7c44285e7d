/** What the contract and the box say, in German: loaded by German browsers only. */
import { translator } from '../../../translate.ts'
import { devices } from './devices.ts'
import { expected } from './expected.ts'
import { kinds } from './kinds.ts'
import { learning } from './learning.ts'
import { notices } from './notices.ts'
import { phrases } from './phrases.ts'
import { problems } from './problems.ts'
import { proof } from './proof.ts'
import { reasonOf, reasons } from './reasons.ts'
import { refusals } from './refusals.ts'
import { running } from './running.ts'
import { shipped } from './shipped.ts'
import { siteFile } from './site-file.ts'
import { syntax } from './syntax.ts'
import { tools } from './tools.ts'
import { values } from './values.ts'

/** Texts that stand by themselves: English → German, with `{1}` where something is filled in. */
const texts: Readonly<Record<string, string>> = {
  ...devices,
  ...kinds,
  ...learning,
  ...notices,
  ...problems,
  ...proof,
  ...reasons,
  ...refusals,
  ...running,
  ...shipped,
  ...siteFile,
  ...syntax,
  ...tools,
  ...values,
}

export const translate = translator(texts, { ...phrases, ...expected }, reasonOf)
