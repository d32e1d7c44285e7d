/** An inference process with language models, and the bare library beside them. */
import { runHost } from '../../../src/inference/index.ts'
import { languageJobs } from '../../../src/inference/llama/index.ts'
import { bareJobs } from './bare.ts'

await runHost({ ...languageJobs, ...bareJobs })
