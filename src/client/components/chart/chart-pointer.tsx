import type { PointerEvent } from 'react'

import classes from './chart-pointer.module.css'

interface ChartPointerProps {
  /** Accessible name: what the chart shows. */
  label: string
  /** The first and the last place of the chart that can be pointed at. */
  from: number
  to: number
  /** Number of places in the chart's width, and whether the outer ones lie on its edges. */
  places: number
  isEdgeToEdge?: boolean
  /** The place pointed at; null: none. */
  place: number | null
  /** What is at the place, in words. */
  text: string
  onPoint: (place: number | null) => void
}

/**
 * Lies over a chart, whose places it points at: by the mouse, by touch, and, because it is a range
 * input, with the arrow keys and by assistive technology.
 */
export function ChartPointer(props: ChartPointerProps) {
  const { from, to, place, onPoint } = props
  function placeAt({ currentTarget, clientX }: PointerEvent<HTMLInputElement>): number {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = (clientX - left) / width
    const exact = props.isEdgeToEdge
      ? Math.round(share * (props.places - 1))
      : Math.floor(share * props.places)
    return Math.min(to, Math.max(from, exact))
  }
  return (
    <input
      type="range"
      className={classes.pointer}
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
    />
  )
}
