export { runHost } from './host.ts'
export { Supervisor, type SupervisorOptions } from './supervisor.ts'
export {
  type Inference,
  InferenceError,
  type InferenceFailure,
  type InferenceStatus,
  type Job,
  type JobContext,
} from './types.ts'
