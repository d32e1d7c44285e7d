import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { said } from '../said.ts'
import { label } from '../words.ts'
import { type Tested, tryOut } from './api.ts'
import { say } from './words.ts'

interface TryOutProps {
  folder: 'channels' | 'destinations'
  name: string
  /** What pressing it does. */
  says: string
}

/** A button that tries something; what it does stands beside it, and then what came of it. */
export function TryOut({ folder, name, says }: TryOutProps) {
  const [busy, setBusy] = useState(false)
  const [came, setCame] = useState<Tested | null>(null)
  const press = async () => {
    setBusy(true)
    setCame(null)
    const failed = (error: Error): Tested => ({ outcome: 'failed', message: error.message })
    setCame(await tryOut(folder, name).catch(failed))
    setBusy(false)
  }
  return html`
    <div class="try-out">
      <span class="meta" id=${`try-${folder}-${name}`}>${says}</span>
      <button
        type="button"
        disabled=${busy}
        aria-label=${say('try_of', { name: label(name) })}
        aria-describedby=${`try-${folder}-${name}`}
        onClick=${press}
      >
        ${say(busy ? 'trying' : 'try')}
      </button>
      <p role="status">
        ${
          came &&
          html`<span class=${`tag ${{ works: 'done', failed: 'failed', left: 'waiting' }[came.outcome]}`}>${say(`came.${came.outcome}`)}</span>
            <span> ${said(came.message)}</span>`
        }
      </p>
    </div>
  `
}
