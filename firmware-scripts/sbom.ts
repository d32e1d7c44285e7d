/** What is in a bundle, for those who have to know: CycloneDX as JSON. */
import { readFile } from 'node:fs/promises'
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library'
import { parse } from 'yaml'
import { version } from '../src/box/version.ts'
import { manifestOf } from './packages.ts'
import { releaseDate } from './seal.ts'

interface CatalogueEntry {
  name: string
  description: string
  licence: string
  files: Record<string, { path: string; sha256: string }>
}

/** Of the packages with these names, the runtime, and the models of a catalogue. One commit gives one text. */
export async function sbom(names: readonly string[], catalogue: string): Promise<string> {
  const bom = new Models.Bom()
  bom.metadata.timestamp = new Date(releaseDate() * 1000)
  bom.metadata.component = component('gatehouse', version, 'Apache-2.0', {
    type: Enums.ComponentType.Application,
  })
  bom.components.add(component('bun', Bun.version, 'MIT', { purl: `pkg:npm/bun@${Bun.version}` }))
  for (const name of names) {
    const { version: its, license } = await manifestOf(name)
    const purl = `pkg:npm/${name.replace('@', '%40')}@${its}`
    bom.components.add(component(name, its, license, { purl }))
  }
  const { models } = parse(await readFile(catalogue, 'utf8')) as { models: CatalogueEntry[] }
  for (const { name, description, licence: its, files } of models) {
    const model = component(name, version, its, {
      type: Enums.ComponentType.MachineLearningModel,
      description,
    })
    for (const { path, sha256 } of Object.values(files)) {
      const hashes = new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], sha256]])
      model.components.add(new Models.Component(Enums.ComponentType.File, path, { hashes, bomRef: path }))
    }
    bom.components.add(model)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

interface More {
  type?: Enums.ComponentType
  purl?: string
  description?: string
}

function component(name: string, its: string, license: string | undefined, more: More): Models.Component {
  const { type = Enums.ComponentType.Library, purl, description } = more
  const made = new Models.Component(type, name, { version: its, bomRef: `${name}@${its}` })
  if (purl !== undefined) made.purl = purl
  if (description !== undefined) made.description = description
  if (license !== undefined) made.licenses.add(licenceOf(license))
  return made
}

/** By its short name where it has one: others are words for people. */
function licenceOf(text: string): Models.License {
  const id = SPDX.fixupSpdxId(text)
  return id === undefined ? new Models.NamedLicense(text) : new Models.SpdxLicense(id)
}
