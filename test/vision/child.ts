/** An inference process with the real jobs, for tests and benchmarks. */
import { runHost } from '../../src/inference/index.ts'
import { visionJobs } from '../../src/vision/worker/index.ts'
import { bareLook } from './bare.ts'

await runHost({ ...visionJobs, bare: bareLook })
