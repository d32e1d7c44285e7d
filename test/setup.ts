import fc from 'fast-check'

// Ordinary runs repeat themselves; `FC_SEED=7 bun run test` looks elsewhere.
fc.configureGlobal({ seed: Number(process.env.FC_SEED) || 20_260_101 })
