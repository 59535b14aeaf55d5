export { AmiFamily } from '../engine-neutral/ami-family';
