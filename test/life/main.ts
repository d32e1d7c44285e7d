/** One life, told as JSON in the last line: `bun main.ts OPTIONS`, with `LifeOptions` as JSON. */
import { Life, type LifeOptions } from './life.ts'

const options: LifeOptions = JSON.parse(process.argv[2] ?? '{}')
const report = await new Life({ ...options, say: line => console.log(line) }).live()
console.log(JSON.stringify(report))
process.exit()
