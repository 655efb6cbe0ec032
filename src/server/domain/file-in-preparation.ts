import { DomainError } from './errors'

/** A file that is being written, and nothing is wrong with. */
export class FileInPreparation extends DomainError {}
