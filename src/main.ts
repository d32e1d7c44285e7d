import { cli } from './cli/index.ts'

process.exitCode = await cli(process.argv.slice(2))
