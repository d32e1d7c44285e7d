import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SIGNED_OUT } from './api.ts'
import { App } from './app.ts'
import { Doorstep } from './doorstep.ts'
import { draftsAreOf } from './drafts.ts'
import { t } from './language.ts'
import { getSession, renew, type Session } from './session.ts'
import { Store } from './state.ts'

/** A box that does not answer at first is asked again after so long. */
const AGAIN_MS = 3_000
/** How often an open page looks whether its session is to be kept with another secret. */
const RENEW_MS = 6 * 3_600_000

/** The page for whoever is known here; for everybody else the way in, at the same address. */
export function Entry() {
  const [session, setSession] = useState<Session | null>(null)
  const [problem, setProblem] = useState('')
  const [tries, setTries] = useState(0)

  const look = () =>
    getSession().then(
      found => {
        setProblem('')
        setSession(found)
      },
      (error: Error) => {
        setProblem(error.message)
        setTries(n => n + 1)
      },
    )
  useEffect(() => {
    if (session || tries === 0) return
    const timer = window.setTimeout(look, AGAIN_MS)
    return () => window.clearTimeout(timer)
  }, [tries])
  useEffect(() => {
    look()
    window.addEventListener(SIGNED_OUT, look)
    return () => window.removeEventListener(SIGNED_OUT, look)
  }, [])

  if (!session)
    return problem ? html`<p class="problem alone" role="alert">${t('app.reload', { problem })}</p>` : null
  if (session.by === 'nobody') return html`<${Doorstep} session=${session} entered=${setSession} />`
  return html`<${Inside} key=${`${session.by} ${session.name}`} session=${session} changed=${setSession} />`
}

/** All that is known is told to one person: another one begins anew. */
function Inside({ session, changed }: { session: Session; changed(session: Session): void }) {
  const store = useRef<Store>(null)
  store.current ??= new Store()
  // Before anything of the page looks for one. A box without users has nobody to tell apart.
  useState(() => session.by === 'session' && draftsAreOf(session.name))
  useEffect(() => store.current?.start(), [])
  useEffect(() => {
    if (session.by !== 'session') return
    const keep = () => renew().catch(() => undefined)
    keep()
    const timer = window.setInterval(keep, RENEW_MS)
    return () => window.clearInterval(timer)
  }, [session.by])
  return html`<${App} store=${store.current} session=${session} changed=${changed} />`
}
