import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { Field } from './field.ts'
import { t } from './language.ts'
import { claim, login, type Session } from './session.ts'

/** Before anybody is known: signing in, or on a new box the claim of its first admin. */
export function Doorstep({ session, entered }: { session: Session; entered(session: Session): void }) {
  useEffect(() => {
    document.title = 'Gatehouse'
  }, [])
  return html`
    <main class="doorstep">
      <h1>Gatehouse</h1>
      ${session.claimed ? html`<${Login} entered=${entered} />` : html`<${Claim} entered=${entered} />`}
    </main>
  `
}

function Login({ entered }: { entered(session: Session): void }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { problem, busy, send } = useSending(entered)
  return html`
    <form class="door" onSubmit=${send(() => login(name, password))}>
      <h2>${t('door.sign_in')}</h2>
      <${Field} label=${t('door.name')} value=${name} set=${setName} autocomplete="username" first />
      <${Field}
        label=${t('door.password')}
        value=${password}
        set=${setPassword}
        type="password"
        autocomplete="current-password"
      />
      <button class="main" disabled=${busy}>${t('door.sign_in')}</button>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="meta">${t('door.lost')}</p>
    </form>
  `
}

/** The first admin: whoever reads the console of the box. */
export function Claim({ entered }: { entered(session: Session): void }) {
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { problem, busy, send } = useSending(entered)
  return html`
    <form class="door" onSubmit=${send(() => claim(code, name, password))}>
      <h2>${t('app.claim')}</h2>
      <p>${t('door.nobody')}</p>
      <${Field} label=${t('door.code')} value=${code} set=${setCode} autocomplete="off" first />
      <${Field} label=${t('door.your_name')} value=${name} set=${setName} autocomplete="username" />
      <${Field}
        label=${t('door.new_password')}
        value=${password}
        set=${setPassword}
        type="password"
        autocomplete="new-password"
      />
      <button class="main" disabled=${busy}>${t('door.claim')}</button>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </form>
  `
}

function useSending(entered: (session: Session) => void) {
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const send = (work: () => Promise<Session>) => (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    work().then(entered, (error: Error) => {
      setProblem(error.message)
      setBusy(false)
    })
  }
  return { problem, busy, send }
}
