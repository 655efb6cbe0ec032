import type { ApiMethod } from '../../../shared/openapi'

import classes from './method-badge.module.css'

export function MethodBadge({ method }: { method: ApiMethod }) {
  return (
    <span className={classes.badge} data-method={method}>
      {method.toUpperCase()}
    </span>
  )
}
