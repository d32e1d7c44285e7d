import { runHost } from '../inference/index.ts'
import { languageJobs } from '../inference/llama/index.ts'
import { answerJobs } from '../vision/answer/index.ts'
import { visionJobs } from '../vision/worker/index.ts'

/** The child process that looks at pictures and asks language models: answers its parent until the parent goes. */
export function serve(): Promise<never> {
  return runHost({ ...visionJobs, ...answerJobs, ...languageJobs })
}
