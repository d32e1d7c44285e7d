import { html } from 'htm/preact'
import { useEffect } from 'preact/hooks'
import { Account } from './account.ts'
import { Address } from './address.ts'
import { Claim } from './doorstep.ts'
import { t } from './language.ts'
import type { Session } from './session.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'

/** Who may do what: oneself, the tokens of programs, and for an admin everybody. */
export function AccessPage({
  session,
  changed,
  zone,
}: {
  session: Session
  changed(session: Session): void
  zone: string
}) {
  useEffect(() => {
    document.title = `${t('access.title')} · Gatehouse`
  }, [])
  if (session.by === 'loopback')
    return html`<div class="access"><h1>${t('access.title')}</h1><${Claim} entered=${changed} /></div>`
  return html`
    <div class="access">
      <h1>${t('access.title')}</h1>
      <${Account} session=${session} zone=${zone} />
      ${session.may.includes('users.manage') && html`<${Users} zone=${zone} />`}
      <${Tokens} session=${session} zone=${zone} />
      ${session.may.includes('system.manage') && html`<${Address} zone=${zone} />`}
    </div>
  `
}
