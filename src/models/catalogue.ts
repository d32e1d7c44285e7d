/** The list of models that this box knows: what each is for, what its files must be, how far it can be trusted. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { YAML } from 'bun'
import { GatehouseError, messageOf } from '../core/index.ts'
import { KnownModel, wrongWith } from './known.ts'

const strict = { additionalProperties: false }

const ModelFile = Type.Object(
  {
    /** Below `files/`, a plain file name. */
    path: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]*$' }),
    bytes: Type.Integer({ minimum: 1 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  strict,
)

const Share = Type.Number({ minimum: 0, maximum: 1 })

/** Raw score from which on → share of such answers that were right; scores rise, shares do not fall. */
const Curve = Type.Array(
  Type.Object({ from: Share, right: Share, cases: Type.Integer({ minimum: 0 }) }, strict),
  {
    minItems: 1,
  },
)

const Calibration = Type.Object(
  {
    /** What the numbers rest on, for people. */
    basis: Type.String(),
    /** Labelled pictures behind the numbers. */
    pictures: Type.Integer({ minimum: 0 }),
    /** By the detector's score of a label. */
    present: Type.Optional(Curve),
    /** By the reader's mean score of a line. */
    text: Type.Optional(Curve),
    /** Share of the pictures without a line read that truly had none. */
    no_text: Type.Optional(Share),
  },
  strict,
)

const ModelEntry = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]*$' }),
    /** `detect`: pictures → labelled boxes; `read`: pictures → lines of text. */
    task: Type.Union([Type.Literal('detect'), Type.Literal('read')]),
    description: Type.String(),
    licence: Type.String(),
    source: Type.String(),
    /** What the process that runs it grows by, MB. */
    ram_mb: Type.Integer({ minimum: 1 }),
    /** Least raw score that counts as an answer. */
    threshold: Share,
    /** Role of the file → the file. */
    files: Type.Record(Type.String(), ModelFile),
    calibration: Calibration,
  },
  strict,
)

const CatalogueFile = Type.Object(
  {
    catalogue: Type.Literal(1),
    /** Those that ship. */
    models: Type.Array(ModelEntry),
    /** Those that owners may bring. */
    known: Type.Optional(Type.Array(KnownModel)),
  },
  strict,
)

export type ModelFile = Static<typeof ModelFile>
export type ModelEntry = Static<typeof ModelEntry>
export type ModelTask = ModelEntry['task']

export class Catalogue {
  /** Folder that holds `catalog.yaml` and `files/`. */
  readonly dir: string
  /** Those that ship. */
  readonly models: readonly ModelEntry[]
  /** Those that owners may bring. */
  readonly known: readonly KnownModel[]

  private constructor(dir: string, models: readonly ModelEntry[], known: readonly KnownModel[]) {
    this.dir = dir
    this.models = models
    this.known = known
  }

  /** Reads `catalog.yaml` in `dir`. Throws `GatehouseError` `catalogue_invalid` where it is missing or wrong. */
  static load(dir: string): Catalogue {
    const path = join(dir, 'catalog.yaml')
    let content: unknown
    try {
      // Our own file: the runtime's parser reads it fifty times as fast, and a start waits for it.
      content = YAML.parse(readFileSync(path, 'utf8'))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        throw invalid(path, 'it is missing: keep lib, models and templates beside the executable')
      throw invalid(path, messageOf(error))
    }
    if (!Value.Check(CatalogueFile, content)) {
      const problem = Value.Errors(CatalogueFile, content).First()
      throw invalid(path, problem ? `${problem.path || '/'}: ${problem.message}` : 'not a catalogue')
    }
    const known = content.known ?? []
    const wrong = wrongWith(known)
    if (wrong) throw invalid(path, wrong)
    const names = [...content.models, ...known].map(model => model.name)
    const twice = names.find((name, i) => names.indexOf(name) !== i)
    if (twice) throw invalid(path, `the model ${twice} is listed twice`)
    return new Catalogue(dir, content.models, known)
  }

  /** Folder of the model files: what the inference child is told as its `modelsDir`. */
  get filesDir(): string {
    return join(this.dir, 'files')
  }

  /** Throws `GatehouseError` `model_unknown`. */
  get(name: string): ModelEntry {
    const model = this.models.find(entry => entry.name === name)
    if (!model)
      throw new GatehouseError('model_unknown', `no model is named ${name}: see "gatehouse models list"`)
    return model
  }

  /** The model to use for a task: the first one listed. Throws `GatehouseError` `model_unknown`. */
  forTask(task: ModelTask): ModelEntry {
    const model = this.models.find(entry => entry.task === task)
    if (!model) throw new GatehouseError('model_unknown', `the catalogue lists no model that can ${task}`)
    return model
  }
}

function invalid(path: string, why: string): GatehouseError {
  return new GatehouseError('catalogue_invalid', `${path} cannot be used: ${why}`)
}
