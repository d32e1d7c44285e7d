/** The validator: the page's editor, cards and problems over one file, without a box and without a network. */

import { html } from 'htm/preact'
import { render } from 'preact'
import { language } from '../language.ts'
import { Validator } from './validator.ts'

document.documentElement.lang = language
render(html`<${Validator} />`, document.body)
