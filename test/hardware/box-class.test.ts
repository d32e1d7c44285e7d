import { expect, test } from 'vitest'
import { boxClass, type Hardware, type Preset } from '../../src/hardware/index.ts'

const box = (cores: number, gigabytes: number, preset: Preset['preset'] = 'cpu') =>
  boxClass({ arch: 'x64', cpu: { cores }, ramBytes: gigabytes * 1024 ** 3 } as Hardware, { preset } as Preset)

test.each([
  [4, 7.6, 'cpu-x64-4core-8gb'],
  [4, 8, 'cpu-x64-4core-8gb'],
  [6, 12, 'cpu-x64-4core-8gb'],
  [4, 3.7, 'cpu-x64-4core-4gb'],
  [12, 31, 'cpu-x64-8core-32gb'],
  [1, 0.9, 'cpu-x64-1core-1gb'],
])('%i cores and %d GB are %s', (cores, gigabytes, name) => {
  expect(box(cores, gigabytes)).toBe(name)
})

test('a box with a graphics processor is another class', () => {
  expect(box(4, 8, 'gpu')).toBe('gpu-x64-4core-8gb')
})
