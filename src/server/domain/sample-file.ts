import { createHash } from 'node:crypto'

import { SAMPLE_CSV } from '../../shared/sample-file'

const SAMPLE_SHA256 = createHash('sha256').update(SAMPLE_CSV).digest('hex')

/** Whether a version is the sample that comes with the product: what takes its place is not compared with it. */
export const isSample = ({ sha256 }: { sha256: string }): boolean => sha256 === SAMPLE_SHA256
