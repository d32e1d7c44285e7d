import { html } from 'htm/preact'
import { useRef } from 'preact/hooks'
import { say } from './api.ts'
import {
  type Chosen,
  type Drawing,
  LEAST_POINTS,
  MOST_POINTS,
  movedTo,
  polygonOf,
  withCorner,
  withoutCorner,
  withPolygon,
} from './shapes.ts'

/** By how much an arrow key moves a corner; with Shift by more. */
const STEP = 0.005
const STRIDE = 0.05
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface CanvasProps {
  drawing: Drawing
  chosen: Chosen | null
  choose(chosen: Chosen): void
  /** `on`: goes on with the last change, as a corner does that is being moved. */
  change(drawing: Drawing, on: boolean): void
}

/** The polygons over the picture; the corners of the chosen one can be taken hold of, also by keys. */
export function Canvas({ drawing, chosen, choose, change }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null)
  const points = chosen && polygonOf(drawing, chosen)
  const all = (['zones', 'masks'] as const).flatMap(kind =>
    Object.entries(drawing[kind]).map(([name, corners]) => ({ kind, name, corners })),
  )
  return html`
    <div class="canvas" ref=${place}>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        ${all.map(
          ({ kind, name, corners }) => html`
            <polygon
              key=${`${kind} ${name}`}
              class=${`${kind} ${chosen?.kind === kind && chosen.name === name ? 'chosen' : ''}`}
              points=${corners.map(point => point.join(',')).join(' ')}
              onClick=${() => choose({ kind, name })}
            />
          `,
        )}
      </svg>
      ${
        chosen &&
        points &&
        html`<${Corners} place=${place} points=${points} chosen=${chosen} drawing=${drawing} change=${change} />`
      }
    </div>
  `
}

interface CornersProps extends Pick<CanvasProps, 'drawing' | 'change'> {
  place: { current: HTMLDivElement | null }
  points: [number, number][]
  chosen: Chosen
}

function Corners({ place, points, chosen, drawing, change }: CornersProps) {
  /** The corner that the pointer holds, and whether it has moved yet. */
  const held = useRef<{ at: number; moved: boolean } | null>(null)
  const set = (next: [number, number][], on = false) => change(withPolygon(drawing, chosen, next), on)

  const drag = (event: PointerEvent) => {
    const box = place.current?.getBoundingClientRect()
    if (!held.current || !box) return
    const { at, moved } = held.current
    held.current.moved = true
    set(
      movedTo(points, at, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height),
      moved,
    )
  }
  const hold = (event: PointerEvent, at: number) => {
    held.current = { at, moved: false }
    ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
  }
  const key = (event: KeyboardEvent, at: number) => {
    const way = ARROWS[event.key]
    const [x = 0, y = 0] = points[at] ?? []
    if (way) {
      const by = event.shiftKey ? STRIDE : STEP
      set(movedTo(points, at, x + way[0] * by, y + way[1] * by), event.repeat)
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      if (points.length > LEAST_POINTS) set(withoutCorner(points, at))
    } else if (event.key === 'Insert' || event.key === '+') set(withCorner(points, at))
    else return
    event.preventDefault()
  }
  const percent = (value: number) => Math.round(value * 1000) / 10
  return html`
    ${
      points.length < MOST_POINTS &&
      points.map(([x, y], i) => {
        const [nx, ny] = points[(i + 1) % points.length] ?? [x, y]
        const at = { left: `${percent((x + nx) / 2)}%`, top: `${percent((y + ny) / 2)}%` }
        return html`
          <button
            key=${`add ${i}`}
            type="button"
            class="between"
            style=${at}
            aria-label=${say('corner.add', { n: i + 1 })}
            onClick=${() => set(withCorner(points, i))}
          ></button>
        `
      })
    }
    ${points.map(
      ([x, y], i) => html`
        <button
          key=${i}
          type="button"
          class=${`corner ${chosen.kind}`}
          style=${{ left: `${percent(x)}%`, top: `${percent(y)}%` }}
          aria-label=${say('corner', { n: i + 1, of: points.length, x: Math.round(x * 100), y: Math.round(y * 100) })}
          aria-describedby="corner-keys"
          onPointerDown=${(event: PointerEvent) => hold(event, i)}
          onPointerMove=${drag}
          onPointerUp=${() => {
            held.current = null
          }}
          onPointerCancel=${() => {
            held.current = null
          }}
          onKeyDown=${(event: KeyboardEvent) => key(event, i)}
        ></button>
      `,
    )}
  `
}
