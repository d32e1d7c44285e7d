import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    // What comes about by itself may take its time on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 120_000,
  },
})
