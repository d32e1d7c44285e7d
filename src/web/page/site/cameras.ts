import { html } from 'htm/preact'
import { useContext } from 'preact/hooks'
import { Who } from '../may.ts'
import { usePath } from '../navigate.ts'
import { CameraForm } from './cameras/form.ts'
import { CameraList } from './cameras/list.ts'
import { CameraPage } from './cameras/one.ts'
import type { SectionProps } from './section.ts'

/** No camera can be called so. */
const NEW = '~new'

/** The cameras, one of them, or one that is added: the address says which. */
export function Section({ state }: SectionProps) {
  const { may } = useContext(Who)
  const id = decodeURIComponent(usePath().split('/')[3] ?? '')
  const manages = may.includes('site.manage')
  if (id === NEW && manages) return html`<${CameraForm} />`
  if (id && id !== NEW) return html`<${CameraPage} key=${id} id=${id} state=${state} manages=${manages} />`
  return html`<${CameraList} state=${state} manages=${manages} add=${`/site/cameras/${NEW}`} />`
}
