/** The 80 labels of COCO, in the order in which detectors trained on it answer. */
export const cocoLabels = (
  'person|bicycle|car|motorcycle|airplane|bus|train|truck|boat|traffic light|fire hydrant|stop sign|' +
  'parking meter|bench|bird|cat|dog|horse|sheep|cow|elephant|bear|zebra|giraffe|backpack|umbrella|handbag|' +
  'tie|suitcase|frisbee|skis|snowboard|sports ball|kite|baseball bat|baseball glove|skateboard|surfboard|' +
  'tennis racket|bottle|wine glass|cup|fork|knife|spoon|bowl|banana|apple|sandwich|orange|broccoli|carrot|' +
  'hot dog|pizza|donut|cake|chair|couch|potted plant|bed|dining table|toilet|tv|laptop|mouse|remote|keyboard|' +
  'cell phone|microwave|oven|toaster|sink|refrigerator|book|clock|vase|scissors|teddy bear|hair drier|toothbrush'
).split('|')

const groups: Readonly<Record<string, readonly string[]>> = {
  vehicle: ['car', 'truck', 'bus', 'motorcycle'],
  animal: ['bird', 'cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe'],
}

/** The detector's labels behind a word of a workflow: those of `vehicle` and `animal`, else the word itself. */
export function labelsOf(word: string): readonly string[] {
  return (Object.hasOwn(groups, word) ? groups[word] : undefined) ?? [word.replaceAll('_', ' ')]
}
