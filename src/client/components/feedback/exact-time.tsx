import { formatExactTime } from '../../lib/time-format'

/** In a tooltip, so that the text is made only where that is shown. */
export const ExactTime = ({ instant }: { instant: string }) => formatExactTime(instant)
