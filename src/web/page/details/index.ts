/** All that is known of a step: what it was given, whom it asked, what came of it. */
import { html } from 'htm/preact'
import type { StepView } from '../api.ts'
import { label, stepStatus, took, value } from '../words.ts'
import { say, sayTerm } from './words.ts'

export function StepDetails({ step }: { step: StepView }) {
  const { inputs, result, model, tool_calls: calls, path, self_reported: self } = step
  return html`
    <div class="step-details">
      <${Part} title=${say(step.status === 'would_have' ? 'details.would' : 'details.given')} of=${inputs} />
      ${calls.length > 0 && html`<${Calls} calls=${calls} />`}
      <${Part} title=${say('details.came')} of=${result} />
      <dl class="facts">
        ${model && html`<div><dt>${say('details.model')}</dt><dd>${model}</dd></div>`}
        ${self !== null && html`<div><dt>${say('details.self')}</dt><dd>${Math.round(self * 100)} %</dd></div>`}
        <div><dt>${say('details.place')}</dt><dd><code>${path}</code></dd></div>
      </dl>
      <details>
        <summary>${say('details.raw')}</summary>
        <pre tabindex="0">${JSON.stringify({ path, inputs, result, model, usage: step.usage, self_reported: self, tool_calls: calls }, null, 2)}</pre>
      </details>
    </div>
  `
}

/** What JSON says, as names and values; nothing where it says nothing. */
function Part({ title, of }: { title: string; of: unknown }) {
  if (of === null || of === undefined || (typeof of === 'object' && !Object.keys(of).length)) return null
  return html`<h3>${title}</h3>${typeof of === 'object' ? html`<${Values} of=${of} />` : html`<p class="line">${value(of)}</p>`}`
}

function Values({ of }: { of: object }) {
  return html`
    <dl class="facts">
      ${Object.entries(of).map(
        ([name, each]) => html`<div key=${name}><dt>${label(name)}</dt><dd>${shown(each)}</dd></div>`,
      )}
    </dl>
  `
}

/** Lists of words on one line; what lies deeper as JSON. */
function shown(each: unknown): string {
  const plain = (it: unknown) => it === null || typeof it !== 'object'
  if (plain(each)) return value(each)
  if (Array.isArray(each) && each.every(plain)) return each.map(value).join(', ') || value('')
  return JSON.stringify(each)
}

/** Calls of models and tools, in the order in which they were made. */
function Calls({ calls }: { calls: StepView['tool_calls'] }) {
  return html`
    <h3>${say('details.calls')}</h3>
    <ol class="calls">
      ${calls.map(
        ({ id, kind, name, args_asked, result, status, ms, tokens_in, tokens_out }) => html`
          <li key=${id} class=${status}>
            <p class="head">
              <span class="names">
                <strong>${kind === 'model' ? say('details.asked', { name }) : (sayTerm(`tool.${name}`) ?? label(name))}</strong>
                ${status !== 'ok' && html`<span class=${`tag ${status}`}>${sayTerm(`call.${status}`) ?? stepStatus('failed')}</span>`}
              </span>
              <span class="took">${took(ms)}</span>
            </p>
            ${tokens_in !== null && html`<p class="meta">${say('details.tokens', { in: tokens_in, out: tokens_out ?? 0 })}</p>`}
            ${kind === 'tool' && args_asked !== null && typeof args_asked === 'object' && html`<${Values} of=${args_asked} />`}
            ${
              result !== null &&
              html`<details>
                <summary>${say('details.answered')}</summary>
                <pre tabindex="0">${typeof result === 'string' ? result : JSON.stringify(result, null, 2)}</pre>
              </details>`
            }
          </li>
        `,
      )}
    </ol>
  `
}
