import classes from './sparkline.module.css'

const WIDTH = 100
const HEIGHT = 30

/**
 * A line chart of two or more values, oldest first. Hidden from assistive technology: the caller
 * shows the figures as text.
 */
export function Sparkline({ values }: { values: number[] }) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const toY = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4)
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH
    return `${x.toFixed(2)},${toY(value).toFixed(2)}`
  })
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon
        className={classes.ground}
        points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`}
      />
      <polyline className={classes.line} points={points.join(' ')} />
    </svg>
  )
}
