import { html } from 'htm/preact'
import { render } from 'preact'
import { Entry } from './entry.ts'
import { language } from './language.ts'

document.documentElement.lang = language
render(html`<${Entry} />`, document.body)
