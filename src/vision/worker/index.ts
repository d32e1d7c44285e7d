import type { Job } from '../../inference/index.ts'
import { paintJob, seeJob, shrinkJob } from '../protocol.ts'
import { paint } from './paint.ts'
import { see } from './see.ts'
import { shrink } from './shrink.ts'

/** The jobs of the inference process that look at pictures. Native libraries load with the first picture. */
export const visionJobs: Readonly<Record<string, Job>> = {
  [seeJob]: see,
  [shrinkJob]: shrink,
  [paintJob]: paint,
}
