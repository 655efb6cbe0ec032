import type { PointerEvent } from 'react'

import classes from './chart-pointer.module.css'

interface ChartPointerProps {
  /** Accessible name: what the chart shows. */
  label: string
  /** The first and the last place of the chart that can be pointed at. */
  from: number
  to: number
  /** The place at a share of the chart's width. */
  placeAt: (share: number) => number
  /** The place pointed at; null: none. */
  place: number | null
  /** What is at the place, in words. */
  text: string
  onPoint: (place: number | null) => void
  /** By a click or Enter, where the place leads somewhere. */
  onChoose?: () => void
}

/**
 * Lies over a chart, whose places it points at: by the mouse, by touch, and, because it is a range
 * input, with the arrow keys and by assistive technology.
 */
export function ChartPointer(props: ChartPointerProps) {
  const { from, to, place, onPoint, onChoose } = props
  function placeAt({ currentTarget, clientX }: PointerEvent<HTMLInputElement>): number {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(to, Math.max(from, props.placeAt((clientX - left) / width)))
  }
  return (
    <input
      type="range"
      className={classes.pointer}
      data-leads={onChoose ? true : undefined}
      aria-label={props.label}
      aria-valuetext={props.text}
      min={from}
      max={to}
      value={place ?? to}
      onChange={(event) => onPoint(Number(event.currentTarget.value))}
      onPointerMove={(event) => onPoint(placeAt(event))}
      onPointerDown={(event) => onPoint(placeAt(event))}
      onPointerLeave={() => onPoint(null)}
      onFocus={() => onPoint(place ?? to)}
      onBlur={() => onPoint(null)}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChoose?.()
      }}
    />
  )
}
