import { type Job, Refusal } from '../../inference/index.ts'
import { type AnswerReply, type AnswerRequest, type Answers, answerJob } from '../answering.ts'
import { BadPicture, openPicture } from '../worker/picture.ts'
import { Slot } from './slot.ts'

/** The job of models that answer questions about pictures, for the child: nothing of them is loaded before it is called. */
export const answerJobs: Readonly<Record<string, Job>> = {
  [answerJob]: async (payload, context): Promise<AnswerReply> => {
    try {
      return { ok: true, answers: await answer(payload as AnswerRequest, context) }
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, failure: error.failure, message: error.message }
      if (error instanceof BadPicture) return { ok: false, failure: 'refused', message: error.message }
      throw error
    }
  },
}

async function answer(
  { model, picture, questions, maxTokens }: AnswerRequest,
  context: Parameters<Job>[1],
): Promise<Answers> {
  const opened = await openPicture(picture)
  const slot = await context.resource(
    'answerer',
    async () => new Slot(),
    held => held.close(),
  )
  const answerer = await slot.take(model, context.threads)
  const pixels = await opened.pixels(opened.width, opened.height)
  return answerer.answer(pixels, questions, maxTokens, context.signal)
}
