import { html } from 'htm/preact'
import { render } from 'preact'
import { App } from './app.ts'
import { Store } from './state.ts'

const store = new Store()
store.start()
render(html`<${App} store=${store} />`, document.body)
