import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { Field } from './field.ts'
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
      <h2>Sign in</h2>
      <${Field} label="Name" value=${name} set=${setName} autocomplete="username" first />
      <${Field}
        label="Password"
        value=${password}
        set=${setPassword}
        type="password"
        autocomplete="current-password"
      />
      <button class="main" disabled=${busy}>Sign in</button>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="meta">No way in any more? On the box: gatehouse users password NAME</p>
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
      <h2>Claim this box</h2>
      <p>
        Nobody has a login here yet. The console and the log of the box show a claim code: whoever types it becomes the
        first admin.
      </p>
      <${Field} label="Claim code" value=${code} set=${setCode} autocomplete="off" first />
      <${Field} label="Your name" value=${name} set=${setName} autocomplete="username" />
      <${Field}
        label="Password, 10 characters or more"
        value=${password}
        set=${setPassword}
        type="password"
        autocomplete="new-password"
      />
      <button class="main" disabled=${busy}>Claim it</button>
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
