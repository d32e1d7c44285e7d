import { html } from 'htm/preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Refused } from '../api.ts'
import { t } from '../language.ts'
import { Sure } from '../sure.ts'
import { label } from '../words.ts'
import {
  csvAddress,
  getEntries,
  getRules,
  giveBack,
  type InForce,
  type ListEntry,
  setEntries,
} from './api.ts'
import { CsvIn } from './csv-in.ts'
import { type At, useEditing } from './editing.ts'
import { Entries } from './entries.ts'
import { differing, merged } from './merge.ts'
import { From } from './parts.ts'
import { SaveBar } from './save-bar.ts'
import { say, sayCount } from './words.ts'

/** A list by its entries, so that two who change it at once are told apart; an entry's value is its note. */
export type ByEntry = Record<string, string>

const byEntry = (entries: readonly ListEntry[]): ByEntry =>
  Object.fromEntries(entries.map(({ value, note = '' }) => [`=${value}`, note]))
const entriesOf = (list: ByEntry): ListEntry[] =>
  Object.entries(list).map(([key, note]) => ({ value: key.slice(1), ...(note && { note }) }))

/** A list that is not there yet has no entries. */
async function getList(name: string): Promise<At<ByEntry>> {
  try {
    const { version, entries } = await getEntries(name)
    return { version, value: byEntry(entries) }
  } catch (error) {
    if ((error as Refused).code !== 'not_found') throw error
    return { version: (await getRules()).version, value: {} }
  }
}

/** One list: what is on it, what is changed, files in and out. */
export function ListPage({ name }: { name: string }) {
  const [about, setAbout] = useState<InForce['lists'][number] | null>(null)
  const editing = useEditing<ByEntry>({
    key: `list-${name}`,
    get: () => getList(name),
    put: async (list, version) => {
      await setEntries(name, entriesOf(list), version)
      return getList(name)
    },
  })
  const { value, base, changed, saved } = editing
  useEffect(() => {
    document.title = `${label(name)} · Gatehouse`
    getRules().then(
      ({ in_force }) => setAbout(in_force.lists.find(it => it.name === name) ?? null),
      () => undefined,
    )
  }, [name, saved, base])
  const [plus, minus, noted] = useMemo(() => difference(base ?? {}, value ?? {}), [base, value])
  const sum = [plus > 0 && `+${plus}`, minus > 0 && `−${minus}`, noted > 0 && sayCount('lists.noted', noted)]
  return html`
    <p class="back"><a href="/site/lists">‹ ${say('lists.all')}</a></p>
    <section aria-labelledby="list">
      <h2 id="list" class="list-name">${label(name)}</h2>
      ${
        value === null
          ? !editing.problem && html`<p class="none">${t('app.loading')}</p>`
          : html`
            <p class="meta">
              ${sayCount('lists.entries', Object.keys(value).length)}
              ${about && html`<${From} here=${about.from === 'page'} />`}
              ${about?.hides_file && html`<span>${say('lists.hides')}</span>`}
            </p>
            <${Entries} list=${value} base=${base ?? {}} set=${editing.set} />
          `
      }
      <${SaveBar}
        editing=${editing}
        texts=${texts}
        both=${merged}
        sum=${`${say('unsaved')}: ${sum.filter(Boolean).join(', ')}`}
      />
      ${
        value !== null &&
        html`
          <h3>${say('lists.files')}</h3>
          <p class="tools">
            ${about && html`<a href=${csvAddress(name)} download=${`${name}.csv`}>${say('lists.out')}</a>`}
          </p>
          <${CsvIn} name=${name} barred=${changed} done=${editing.reload} />
          ${about?.from === 'page' && html`<${Back} about=${about} changed=${changed} reload=${editing.reload} />`}
        `
      }
    </section>
  `
}

const texts = (theirs: ByEntry, mine: ByEntry) =>
  differing(theirs, mine, (key, note) => [key.slice(1), note].filter(Boolean).join(' · '))

/** How many are new, gone, and noted otherwise. */
function difference(base: ByEntry, value: ByEntry): [number, number, number] {
  let [plus, minus, noted] = [0, 0, 0]
  for (const key of Object.keys(value))
    if (!Object.hasOwn(base, key)) plus++
    else if (base[key] !== value[key]) noted++
  for (const key of Object.keys(base)) if (!Object.hasOwn(value, key)) minus++
  return [plus, minus, noted]
}

interface BackProps {
  about: InForce['lists'][number]
  changed: boolean
  reload(): Promise<void>
}

/** The site file's list of that name counts again, or there is none. */
function Back({ about: { name, hides_file }, changed, reload }: BackProps) {
  const [sure, setSure] = useState(false)
  const back = async () => {
    await giveBack(name, (await getRules()).version)
    await reload()
  }
  const act = say(hides_file ? 'lists.back' : 'lists.remove')
  return html`
    <p class="tools">
      <button type="button" class="danger" disabled=${changed} onClick=${() => setSure(true)}>${act}</button>
      ${changed && html`<span class="meta">${say('lists.first')}</span>`}
    </p>
    ${
      sure &&
      html`<${Sure}
        title=${say(hides_file ? 'lists.back_title' : 'lists.remove_title', { name: label(name) })}
        act=${act}
        danger
        doing=${back}
        done=${() => setSure(false)}
      >
        <p>${say(hides_file ? 'lists.back_why' : 'lists.remove_why')}</p>
      </${Sure}>`
    }
  `
}
