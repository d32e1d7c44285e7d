import type { Clock } from '../../core/index.ts'
import type { Inference } from '../../inference/index.ts'
import { type AnswererModel, type AnswerReply, type AnswerRequest, answerJob } from '../../vision/index.ts'
import { type ChatAnswer, type ChatRequest, LanguageError, type LanguageModel } from '../language.ts'
import { callChild } from './child.ts'
import { answerOf, pictureIn, questionsOf } from './questions.ts'

export interface AnswererOptions {
  /** The child that holds the model: not the one of the eyes, so that a long answer holds up no picture. */
  inference: Inference
  model: AnswererModel
  clock: Clock
}

/** Of what a model says to one question: more is chatter, and costs time. */
const ANSWER_TOKENS = 64

/**
 * A model that sees in the inference process of this box, from a folder of ONNX files. It answers one question about
 * one picture with free text: each key of the answer's form is a question of its own, and what it says is read as one
 * of the key's options or as `unsure`. Data is not handed on: there is no place for it. It is loaded by the first call.
 */
export class AnswererLanguageModel implements LanguageModel {
  readonly name: string
  readonly sees = true
  readonly onlyPictures = true
  readonly likelihoods = false
  readonly backend = 'cpu'
  readonly #options: AnswererOptions

  constructor(options: AnswererOptions) {
    this.#options = options
    this.name = options.model.name
  }

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    const { clock, model, inference } = this.#options
    const { bytes } = pictureIn(request, this.name)
    const questions = questionsOf(request)
    const asked: AnswerRequest = {
      model,
      picture: bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice(),
      questions: questions.map(({ text }) => text),
      maxTokens: Math.min(request.maxTokens, ANSWER_TOKENS),
    }
    const startedAt = clock.now()
    const caller = { name: this.name, inference, clock }
    const { answers } = await callChild<AnswerReply>(caller, answerJob, asked, request)
    if (answers.texts.some(text => !text))
      throw new LanguageError('malformed', `${this.name} answered without a text: does it answer questions?`)
    const { tokensIn, tokensOut } = answers
    return { text: answerOf(questions, answers.texts), tokensIn, tokensOut, ms: clock.now() - startedAt }
  }
}
