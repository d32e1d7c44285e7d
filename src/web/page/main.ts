import { html } from 'htm/preact'
import { render } from 'preact'
import { Entry } from './entry.ts'

render(html`<${Entry} />`, document.body)
