import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { comeBack } from '../anew.ts'
import { Field, Whose } from '../field.ts'
import { Sure } from '../sure.ts'
import { clock } from '../words.ts'
import { restore, sendBackup, type ToRestore } from './api.ts'
import { say } from './words.ts'

/** A backup that is brought: it is looked at, and the box becomes it once that is confirmed. */
export function Restore({ zone, restores }: { zone: string; restores: boolean }) {
  const [file, setFile] = useState<File | null>(null)
  const [encrypted, setEncrypted] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [found, setFound] = useState<ToRestore | null>(null)
  const [state, setState] = useState('')
  const [problem, setProblem] = useState('')
  const [sure, setSure] = useState(false)
  const busy = state !== ''
  const doing = async (work: () => Promise<void>) => {
    setProblem('')
    setFound(null)
    setState(say('restore.sending'))
    try {
      await work()
    } catch (error) {
      setProblem((error as Error).message)
    }
    setState('')
  }
  const send = (event: Event) => {
    event.preventDefault()
    if (!file) return
    doing(async () => {
      const taken = await sendBackup(file)
      setEncrypted(taken.encrypted)
      if (!taken.encrypted) setFound(await restore(null, false))
    })
  }
  const open = (event: Event) => {
    event.preventDefault()
    doing(async () => setFound(await restore(passphrase, false)))
  }
  const become = async () => {
    await restore(encrypted ? passphrase : null, true)
    setFound(null)
    setState(say('restore.restarting'))
    comeBack()
  }
  const choose = (event: Event) => {
    setFile((event.target as HTMLInputElement).files?.[0] ?? null)
    setEncrypted(false)
    setFound(null)
  }
  if (!restores) return html`<p class="meta">${say('restore.elsewhere')}</p>`
  return html`
    <p class="meta">${say('restore.about')}</p>
    <form class="care-form" onSubmit=${send}>
      <label class="field">
        <span>${say('restore.file')}</span>
        <input type="file" accept=".tar,.age" required onChange=${choose} />
      </label>
      <button type="submit" disabled=${busy || !file}>${say('restore.send')}</button>
    </form>
    ${
      encrypted &&
      html`<form class="care-form" onSubmit=${open}>
        <${Whose} name="Gatehouse backup" />
        <${Field}
          label=${say('restore.passphrase')}
          type="password"
          value=${passphrase}
          set=${setPassphrase}
          first
        />
        <button type="submit" disabled=${busy}>${say('restore.look')}</button>
      </form>`
    }
    <p class="meta" role="status">${state}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${found && html`<${About} found=${found} zone=${zone} go=${() => setSure(true)} />`}
    ${
      sure &&
      html`<${Sure} title=${say('restore.sure')} act=${say('restore.go')} danger doing=${become} done=${() => setSure(false)}>
        <p>${say('restore.sure_why')}</p>
      </${Sure}>`
    }
  `
}

function About({ found, zone, go }: { found: ToRestore; zone: string; go: () => void }) {
  const { at, box, this_box: own, pictures, secrets } = found
  const rows = [
    [say('restore.of'), own ? say('restore.this') : say('restore.other', { box })],
    [say('restore.at'), clock(at, zone)],
    [say('restore.pictures'), String(pictures)],
    [say('restore.secrets'), say(secrets ? 'restore.secrets_in' : 'restore.secrets_not')],
  ]
  return html`
    <dl class="facts rows">
      ${rows.map(([name, text]) => html`<div key=${name}><dt>${name}</dt><dd>${text}</dd></div>`)}
    </dl>
    <p><button type="button" class="danger" onClick=${go}>${say('restore.go')}</button></p>
  `
}
