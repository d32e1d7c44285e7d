/** An inference process with the real jobs, and those of the tests and benchmarks. */
import { runHost } from '../../src/inference/index.ts'
import { visionJobs } from '../../src/vision/worker/index.ts'
import { bareLook } from './bare.ts'
import { runGraph } from './run-graph.ts'

await runHost({ ...visionJobs, bare: bareLook, runGraph })
