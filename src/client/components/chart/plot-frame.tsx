import type { ReactNode } from 'react'

import classes from './plot-frame.module.css'

/** A text at an axis, at a share of the plot from its left or from above. */
interface AxisText {
  key: string | number
  share: number
  text: string
}

interface PlotFrameProps {
  /** Each has a line across the plot. */
  values: readonly AxisText[]
  times: readonly AxisText[]
  children: ReactNode
}

/** The axes of a plot, which stretches with its box; what is drawn has its size. */
export function PlotFrame({ values, times, children }: PlotFrameProps) {
  return (
    <div className={classes.frame}>
      <div className={classes.values} aria-hidden="true">
        {values.map(({ key, share, text }) => (
          <span key={key} style={{ top: percent(share) }} data-figures>
            {text}
          </span>
        ))}
      </div>
      <div className={classes.plot}>
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {values.map(({ key, share }) => (
            <line key={key} className={classes.grid} x1="0" x2="1" y1={share} y2={share} />
          ))}
        </svg>
        {children}
      </div>
      <div className={classes.times} aria-hidden="true">
        {times.map(({ key, share, text }) => (
          <span key={key} style={{ left: percent(share) }}>
            {text}
          </span>
        ))}
      </div>
    </div>
  )
}

/** What is at a place of a plot, beside it: the range that points at the place tells it to screen readers. */
export const PlotTooltip = ({ share, children }: { share: number; children: ReactNode }) => (
  <span
    className={classes.tooltip}
    data-side={share > 0.5 ? 'left' : 'right'}
    style={{ left: percent(share) }}
    aria-hidden="true"
  >
    {children}
  </span>
)

export const percent = (share: number) => `${share * 100}%`
