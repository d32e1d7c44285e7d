import { type ConsumerConfig, jetstreamManager } from '@nats-io/jetstream'
import { NatsServer } from './server.ts'

export const STREAM = 'OPENNVR'
export const DURABLE = 'box'

/** A server that keeps events and alerts in a stream. */
export class StreamServer extends NatsServer {
  override async start(): Promise<this> {
    return super.start(`jetstream: { store_dir: "${this.dir}/jetstream", max_file: 100MB, max_mem: 10MB }`)
  }

  async manager() {
    return jetstreamManager(await this.publisher())
  }

  async stream(subjects = ['opennvr.events.>', 'opennvr.alerts.>']): Promise<this> {
    await (await this.manager()).streams.add({ name: STREAM, subjects, storage: 'file' })
    return this
  }

  async consumer(config: Partial<ConsumerConfig> = {}): Promise<void> {
    const durable = { durable_name: DURABLE, ack_policy: 'explicit', ...config } as const
    await (await this.manager()).consumers.add(STREAM, durable)
  }

  async waiting(): Promise<{ unsettled: number; pending: number; redelivered: number }> {
    const info = await (await this.manager()).consumers.info(STREAM, DURABLE)
    return { unsettled: info.num_ack_pending, pending: info.num_pending, redelivered: info.num_redelivered }
  }

  /** Resolves once the consumer has settled all that there is. */
  async settled(): Promise<void> {
    for (;;) {
      const { unsettled, pending } = await this.waiting()
      if (unsettled + pending === 0) return
      await Bun.sleep(20)
    }
  }
}
