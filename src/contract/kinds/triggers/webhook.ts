import { Type } from '@sinclair/typebox'
import { trigger } from '../../kind.ts'
import { cameraValues } from '../given.ts'
import { closed, text } from '../params.ts'

export const webhook = trigger({
  kind: 'webhook',
  description:
    'Another system called the secret address of this workflow, with a payload and perhaps a picture.',
  params: closed({ label: Type.Optional(text('Who calls, as the page shows it.', 60)) }),
  gives: (_it, site) => cameraValues(site?.trustedWebhook === true),
  open: (_it, site) => ({
    type: 'text',
    clean: site?.trustedWebhook === true,
    description: 'A field of the payload.',
  }),
  tainted: (_it, site) => site?.trustedWebhook !== true,
  authority: (_it, site) => site?.trustedWebhook === true,
})
