import { SAMPLE_CSV, SAMPLE_FILE_NAME } from '../../../shared/sample-file'

/** The sample that comes with the product, as if it had been chosen. */
export const createSampleFile = () => new File([SAMPLE_CSV], SAMPLE_FILE_NAME, { type: 'text/csv' })

export const isSampleFile = ({ name }: Pick<File, 'name'>): boolean => name === SAMPLE_FILE_NAME
