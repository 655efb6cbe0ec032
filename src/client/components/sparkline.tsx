import classes from './sparkline.module.css'

const WIDTH = 100
const HEIGHT = 30

/**
 * The shape of two or more values from the oldest to the newest. A picture only: the figures that
 * matter stand beside it in words.
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
