import { html } from 'htm/preact'
import { render } from 'preact'
import { AnswerPage, takeLink } from './answer.ts'
import { Entry } from './entry.ts'
import { language } from './language.ts'
import { wordsReady } from './said.ts'

document.documentElement.lang = language
const link = takeLink()
const draw = () =>
  render(link === null ? html`<${Entry} />` : html`<${AnswerPage} link=${link} />`, document.body)
draw()
// What the box said may stand there before there are words for it.
if (language !== 'en') wordsReady.then(draw)
