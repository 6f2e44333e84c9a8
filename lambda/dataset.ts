import { datasetHandler } from '../src/lambda/dataset-handler.ts';

/**
 * The Lambda function of a data block without a handler of its own: checks arguments by schema.json,
 * and answers from the DynamoDB table that the stack fills with the dataset.
 */
export const handler = datasetHandler(import.meta.url, process.env);
