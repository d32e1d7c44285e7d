import { html } from 'htm/preact'
import { render } from 'preact'
import { AnswerPage, takeLink } from './answer.ts'
import { Entry } from './entry.ts'
import { language } from './language.ts'

document.documentElement.lang = language
const link = takeLink()
render(link === null ? html`<${Entry} />` : html`<${AnswerPage} link=${link} />`, document.body)
